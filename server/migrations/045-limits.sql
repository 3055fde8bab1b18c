-- additive
-- What is counted against limits, by all servers of a PostgreSQL database together (server/src/access/limiter.ts). "key" is
-- a hash; "endsAt" is by the clock of the database.
CREATE TABLE "limits" (
  "key" TEXT PRIMARY KEY,
  "points" INTEGER NOT NULL,
  "endsAt" TEXT NOT NULL
);
CREATE INDEX "limits_end" ON "limits" ("endsAt");
