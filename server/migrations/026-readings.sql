-- How the Japanese names of an entry are read, as a JSON list of what somebody gave; null where nobody did. What is derived
-- from a dictionary is in the search index alone.
ALTER TABLE "media" ADD COLUMN "readings" TEXT;
ALTER TABLE "characters" ADD COLUMN "readings" TEXT;
