-- additive
-- concurrently
-- Finds what a batch wrote, in pages, last written first (server/src/batches/records.ts).
CREATE INDEX "revisions_written" ON "revisions" ("batch", "_id") WHERE "batch" IS NOT NULL;
