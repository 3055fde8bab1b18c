-- additive
-- Counts the changes to the columns and cells of an import, so that one based on older ones overwrites nothing.
ALTER TABLE "imports" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
