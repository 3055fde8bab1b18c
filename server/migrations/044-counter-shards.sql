-- additive
-- What writers added to the numbers of "counters", each connection in a row of its own, so that none waits for another;
-- once a day it is added to "counters" (server/src/ledger/counters.ts). A number is the sum of both.
CREATE TABLE "counterShards" (
  "name" TEXT NOT NULL,
  "shard" INTEGER NOT NULL,
  "value" DOUBLE PRECISION NOT NULL,
  PRIMARY KEY ("name", "shard")
);
