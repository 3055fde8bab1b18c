-- additive
-- "revisions_written" replaces it.
DROP INDEX "revisions_batch";
