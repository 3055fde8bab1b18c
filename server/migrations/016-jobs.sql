-- Background work: server/src/jobs. An unfinished job is 'queued' or 'running'; "claim" changes with every claim, so that
-- whoever lost theirs writes nothing more. Of the unfinished jobs of a lane, the oldest alone is worked on.
CREATE TABLE "jobs" (
  "_id" TEXT PRIMARY KEY,
  "kind" TEXT NOT NULL,
  "lane" TEXT,
  "payload" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "dueAt" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL,
  "claim" TEXT,
  "leaseUntil" TEXT,
  "total" INTEGER NOT NULL,
  "done" INTEGER NOT NULL,
  "error" TEXT,
  "createdAt" TEXT NOT NULL,
  "startedAt" TEXT,
  "finishedAt" TEXT
);
CREATE INDEX "jobs_unfinished" ON "jobs" ("dueAt", "_id") WHERE "state" IN ('queued', 'running');
CREATE INDEX "jobs_lanes" ON "jobs" ("lane", "_id") WHERE "state" IN ('queued', 'running');

-- What a user does to many entities at once: server/src/batches. Each has the id of its job, and its revisions name it.
CREATE TABLE "batches" (
  "_id" TEXT PRIMARY KEY REFERENCES "jobs" ("_id") ON DELETE CASCADE,
  "what" TEXT NOT NULL,
  "entityType" TEXT,
  "change" TEXT,
  "rollsBack" TEXT,
  "reason" TEXT,
  "changed" INTEGER NOT NULL,
  "unchanged" INTEGER NOT NULL,
  "refused" INTEGER NOT NULL,
  "userId" TEXT NOT NULL,
  "username" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL
);
CREATE INDEX "batches_created" ON "batches" ("createdAt", "_id");
CREATE INDEX "batches_of_user" ON "batches" ("userId", "createdAt", "_id");

-- What became of each entity of a batch; "outcome" is empty until its turn.
CREATE TABLE "batchRows" (
  "batch" TEXT NOT NULL REFERENCES "batches" ("_id") ON DELETE CASCADE,
  "seq" INTEGER NOT NULL,
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "code" TEXT,
  "message" TEXT,
  "kept" TEXT,
  PRIMARY KEY ("batch", "seq")
);
CREATE INDEX "batchRows_outcomes" ON "batchRows" ("batch", "outcome", "seq");
