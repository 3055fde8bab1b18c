-- Pairs of entities that are likely the same (server/src/ledger/duplicatePairs.ts), each once. Filled by the check of the
-- catalogue that the next start begins.
CREATE TABLE "duplicatePairs" (
  "entityType" TEXT NOT NULL,
  "first" TEXT NOT NULL,
  "second" TEXT NOT NULL,
  PRIMARY KEY ("first", "second")
);
CREATE INDEX "duplicatePairs_kind" ON "duplicatePairs" ("entityType", "first", "second");
CREATE INDEX "duplicatePairs_second" ON "duplicatePairs" ("second");

-- What an entity became a part of: its address leads there, also when it has been deleted for good. "batch" takes it back.
CREATE TABLE "merges" (
  "fromId" TEXT PRIMARY KEY,
  "toId" TEXT NOT NULL,
  "entityType" TEXT NOT NULL,
  "batch" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL
);
CREATE INDEX "merges_batch" ON "merges" ("batch");
CREATE INDEX "merges_to" ON "merges" ("toId", "fromId");
