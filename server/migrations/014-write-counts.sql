-- What a user has written in a day: ledger/writeLimit.ts.
CREATE TABLE "writeCounts" (
  "userId" TEXT NOT NULL,
  "day" TEXT NOT NULL,
  "units" INTEGER NOT NULL,
  PRIMARY KEY ("userId", "day")
);
