-- additive
-- What lists are filtered by, under the id of the entity and without its texts: what two wide filters have in common is
-- found by reading one of them and checking the other here. SQLite reads the row for a column of the condition that is
-- not among those of the index.

CREATE INDEX "media_facts" ON "media" ("_id", "deletedAt", "createdAt", "updatedAt", "releaseDate", "averageRating",
  "ratingCount", "mediaType", "isOngoing", "createdBy", "cover") WHERE "deletedAt" IS NULL;
CREATE INDEX "characters_facts" ON "characters" ("_id", "deletedAt", "createdAt", "updatedAt", "createdBy", "cover")
  WHERE "deletedAt" IS NULL;
CREATE INDEX "media_scored" ON "media" ("averageRating", "_id") WHERE "deletedAt" IS NULL AND "ratingCount" > 0;
CREATE INDEX "dismissals_code" ON "dismissals" ("entityType", "code", "language", "entityId");

DROP INDEX "media_covered";
CREATE INDEX "media_covered" ON "media" ("_id", "cover", "deletedAt") WHERE "deletedAt" IS NULL AND "cover" <> '';
CREATE INDEX "media_uncovered" ON "media" ("_id", "cover", "deletedAt") WHERE "deletedAt" IS NULL AND "cover" = '';
DROP INDEX "characters_covered";
CREATE INDEX "characters_covered" ON "characters" ("_id", "cover", "deletedAt")
  WHERE "deletedAt" IS NULL AND "cover" <> '';
CREATE INDEX "characters_uncovered" ON "characters" ("_id", "cover", "deletedAt")
  WHERE "deletedAt" IS NULL AND "cover" = '';

-- The languages of an entity, and who has one, without reading the texts.
DROP INDEX "labels_entity";
CREATE INDEX "labels_entity" ON "labels" ("entityId", "language");
DROP INDEX "labels_language";
CREATE INDEX "labels_language" ON "labels" ("kind", "language", "entityId");
