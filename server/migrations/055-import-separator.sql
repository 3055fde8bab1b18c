-- additive
-- The separator of the table that was sent; '' for other formats. It decides which numbers are clear, and is kept in the
-- table of refused rows.
ALTER TABLE "imports" ADD COLUMN "separator" TEXT NOT NULL DEFAULT '';
