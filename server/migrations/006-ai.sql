-- The answers of AI: what they cost, where they come from, and what they held, so that the ledger can tell what of a
-- write came from them. They are kept for a while; the ledger holds its own copy.
CREATE TABLE "aiRuns" (
  "_id" TEXT PRIMARY KEY,
  "userId" TEXT NOT NULL,
  "call" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "prompt" TEXT NOT NULL,
  "sources" TEXT NOT NULL,
  "startedAt" TEXT NOT NULL,
  "milliseconds" DOUBLE PRECISION NOT NULL,
  "inputTokens" INTEGER NOT NULL,
  "outputTokens" INTEGER NOT NULL,
  "isEstimate" INTEGER NOT NULL,
  "outcome" TEXT NOT NULL,
  "answers" TEXT NOT NULL
);
CREATE INDEX "aiRuns_user" ON "aiRuns" ("userId", "startedAt", "inputTokens", "outputTokens");
CREATE INDEX "aiRuns_started" ON "aiRuns" ("startedAt");

-- The answers of AI that parts of a write are from, as JSON.
ALTER TABLE "revisions" ADD COLUMN "provenance" TEXT;
