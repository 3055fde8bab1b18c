-- The trash: a page of it, and what has been there for 30 days, are read from these.
CREATE INDEX "media_trash" ON "media" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "characters_trash" ON "characters" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "tags_trash" ON "tags" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "assets_trash" ON "assets" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "ratings_trash" ON "ratings" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "users_trash" ON "users" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "tiers_trash" ON "tiers" ("deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
-- The same, of one's own.
CREATE INDEX "media_own_trash" ON "media" ("createdBy", "deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "characters_own_trash" ON "characters" ("createdBy", "deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "tags_own_trash" ON "tags" ("createdBy", "deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "assets_own_trash" ON "assets" ("createdBy", "deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "ratings_own_trash" ON "ratings" ("createdBy", "deletedAt", "_id") WHERE "deletedAt" IS NOT NULL;
-- The ratings in the trash that go with a media for good.
CREATE INDEX "ratings_trash_media" ON "ratings" ("mediaId", "_id") WHERE "deletedAt" IS NOT NULL;

-- Files that nothing names any more, until they are taken away: written with the deletion, so that a crash loses none.
CREATE TABLE "removals" (
  "key" TEXT PRIMARY KEY
);
