-- additive
-- Counts the changes to a comment's text, so that one based on an older text overwrites nothing.
ALTER TABLE "comments" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
