-- What entities that are likely the same share (server/src/ledger/titleKeys.ts): a hash of the kind, type, season and one
-- title, about a day since 1970. What was called no problem has no row here. Filled by the check of the catalogue that
-- the next start begins.
CREATE TABLE "titleKeys" (
  "key" TEXT NOT NULL,
  "day" INTEGER NOT NULL,
  "entityId" TEXT NOT NULL,
  "entityType" TEXT NOT NULL,
  PRIMARY KEY ("key", "day", "entityId")
);
CREATE INDEX "titleKeys_entity" ON "titleKeys" ("entityId", "key", "day");

-- Two more checks are on, where nobody chose others. The newest version of the settings remains what they are.
UPDATE "revisions" SET "snapshot" = replace(
  "snapshot",
  '"findings":["missing","copied","script","mixed","noCover","noTags","noDescription"]',
  '"findings":["missing","copied","script","mixed","noCover","noTags","noDescription","duplicate","brokenLink"]'
)
WHERE "entityType" = 'Setting' AND "version" = (SELECT "version" FROM "settings");
UPDATE "settings"
SET "findings" = '["missing","copied","script","mixed","noCover","noTags","noDescription","duplicate","brokenLink"]'
WHERE "findings" = '["missing","copied","script","mixed","noCover","noTags","noDescription"]';
