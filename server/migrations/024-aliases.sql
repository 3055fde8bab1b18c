-- Further names of an entry, as a JSON list: what it is also found by. Null where nobody gave any.
ALTER TABLE "media" ADD COLUMN "aliases" TEXT;
ALTER TABLE "characters" ADD COLUMN "aliases" TEXT;
