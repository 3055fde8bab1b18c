-- Whether a user edits entries in a form or as JSON; NULL for who chose neither.

ALTER TABLE "preferences" ADD COLUMN "editor" TEXT;
