-- additive
-- The size of a file may exceed what an INTEGER of PostgreSQL holds. 021 makes new databases with this type.
-- only postgres
ALTER TABLE "assetFlags" ALTER COLUMN "size" TYPE DOUBLE PRECISION;
