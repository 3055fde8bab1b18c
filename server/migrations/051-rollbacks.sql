-- additive
-- concurrently
-- Finds the rollbacks of a batch (server/src/batches/records.ts).
CREATE INDEX "batches_rollsBack" ON "batches" ("rollsBack");
