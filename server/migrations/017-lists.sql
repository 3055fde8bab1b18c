-- What lists are filtered by: who created an entity, and the few media and characters that have a cover.

CREATE INDEX "media_creator" ON "media" ("createdBy", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "characters_creator" ON "characters" ("createdBy", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "tags_creator" ON "tags" ("createdBy", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_covered" ON "media" ("_id") WHERE "deletedAt" IS NULL AND "cover" <> '';
CREATE INDEX "characters_covered" ON "characters" ("_id") WHERE "deletedAt" IS NULL AND "cover" <> '';
CREATE INDEX "characters_updated" ON "characters" ("updatedAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "tags_updated" ON "tags" ("updatedAt", "_id") WHERE "deletedAt" IS NULL;
