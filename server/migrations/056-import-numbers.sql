-- additive
-- The places of a row's cells that are numbers in the workbook, where the same text could mean thousands or decimals.
ALTER TABLE "importRows" ADD COLUMN "numbers" TEXT;
