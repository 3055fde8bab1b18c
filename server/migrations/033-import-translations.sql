-- additive
-- The kind of what a row of an import changes, where the rows are texts of entities of several kinds.
ALTER TABLE "importPlans" ADD COLUMN "entityType" TEXT;
