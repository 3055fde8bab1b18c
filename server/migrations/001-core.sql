-- One schema for both engines. Moments are ISO 8601 text in UTC, booleans are 0 or 1, documents are JSON text.
-- On PostgreSQL every TEXT gets the "C" collation, so that both engines order and range-scan alike.

CREATE TABLE "users" (
  "_id" TEXT PRIMARY KEY,
  "username" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "passwordHash" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "isActive" INTEGER NOT NULL,
  "avatar" TEXT NOT NULL,
  "scores" DOUBLE PRECISION NOT NULL,
  "lastLogin" TEXT,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
CREATE UNIQUE INDEX "users_email" ON "users" (lower("email")) WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "users_username" ON "users" (lower("username")) WHERE "deletedAt" IS NULL;
-- A page of the list is read from one of these; what it is filtered by comes last, so that no row is looked at for it.
CREATE INDEX "users_created" ON "users" ("createdAt", "_id", "role", "isActive") WHERE "deletedAt" IS NULL;
CREATE INDEX "users_updated" ON "users" ("updatedAt", "_id", "role", "isActive") WHERE "deletedAt" IS NULL;
CREATE INDEX "users_named" ON "users" ("username", "_id", "role", "isActive") WHERE "deletedAt" IS NULL;
CREATE INDEX "users_scored" ON "users" ("scores", "_id", "role", "isActive") WHERE "deletedAt" IS NULL;
CREATE INDEX "users_tier" ON "users" ("role", "isActive", "scores", "_id") WHERE "deletedAt" IS NULL;

CREATE TABLE "sessions" (
  "_id" TEXT PRIMARY KEY,
  "userId" TEXT NOT NULL REFERENCES "users" ("_id"),
  "createdAt" TEXT NOT NULL,
  "expiresAt" TEXT NOT NULL,
  "endedAt" TEXT,
  "lastSeen" TEXT NOT NULL DEFAULT '',
  "address" TEXT NOT NULL,
  "userAgent" TEXT NOT NULL
);
CREATE INDEX "sessions_user" ON "sessions" ("userId", "createdAt");

CREATE TABLE "tiers" (
  "_id" TEXT PRIMARY KEY,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "requiredScore" DOUBLE PRECISION NOT NULL,
  "isActive" INTEGER NOT NULL,
  "permissions" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
CREATE INDEX "tiers_score" ON "tiers" ("requiredScore");

CREATE TABLE "media" (
  "_id" TEXT PRIMARY KEY,
  "mediaType" TEXT NOT NULL,
  "translations" TEXT NOT NULL,
  "originalTitle" TEXT,
  "isOngoing" INTEGER NOT NULL,
  "releaseDate" TEXT NOT NULL,
  "duration" DOUBLE PRECISION,
  "episodes" DOUBLE PRECISION,
  "characters" TEXT NOT NULL,
  "tags" TEXT NOT NULL,
  "cover" TEXT NOT NULL,
  "assets" TEXT NOT NULL,
  "relatedMedia" TEXT NOT NULL,
  "averageRating" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "ratingCount" INTEGER NOT NULL DEFAULT 0,
  "ratingSum" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "ratingHistogram" TEXT NOT NULL DEFAULT '[0,0,0,0,0,0,0,0,0,0,0]',
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
-- A page of the list is read from one of these, whatever its filter; "_id" makes the order total.
CREATE INDEX "media_created" ON "media" ("createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_updated" ON "media" ("updatedAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_released" ON "media" ("releaseDate", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_rated" ON "media" ("averageRating", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_type_created" ON "media" ("mediaType", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_type_updated" ON "media" ("mediaType", "updatedAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_type_released" ON "media" ("mediaType", "releaseDate", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_type_rated" ON "media" ("mediaType", "averageRating", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_status_created" ON "media" ("isOngoing", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_status_updated" ON "media" ("isOngoing", "updatedAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_status_released" ON "media" ("isOngoing", "releaseDate", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_status_rated" ON "media" ("isOngoing", "averageRating", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_both_created" ON "media" ("mediaType", "isOngoing", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_both_updated" ON "media" ("mediaType", "isOngoing", "updatedAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_both_released" ON "media" ("mediaType", "isOngoing", "releaseDate", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "media_both_rated" ON "media" ("mediaType", "isOngoing", "averageRating", "_id") WHERE "deletedAt" IS NULL;

CREATE TABLE "characters" (
  "_id" TEXT PRIMARY KEY,
  "translations" TEXT NOT NULL,
  "originalName" TEXT,
  "tags" TEXT NOT NULL,
  "assets" TEXT NOT NULL,
  "cover" TEXT NOT NULL,
  "mediaRefs" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
CREATE INDEX "characters_created" ON "characters" ("createdAt", "_id") WHERE "deletedAt" IS NULL;

CREATE TABLE "tags" (
  "_id" TEXT PRIMARY KEY,
  "type" TEXT NOT NULL,
  "translations" TEXT NOT NULL,
  "icon" TEXT,
  "color" TEXT NOT NULL,
  "parentTag" TEXT,
  "status" TEXT NOT NULL,
  "usageCount" INTEGER NOT NULL DEFAULT 0,
  "mediaCount" INTEGER NOT NULL DEFAULT 0,
  "characterCount" INTEGER NOT NULL DEFAULT 0,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
CREATE INDEX "tags_type" ON "tags" ("type", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "tags_created" ON "tags" ("createdAt", "_id") WHERE "deletedAt" IS NULL;

CREATE TABLE "assets" (
  "_id" TEXT PRIMARY KEY,
  "type" TEXT NOT NULL,
  "filename" TEXT NOT NULL,
  "mimeType" TEXT NOT NULL,
  "size" DOUBLE PRECISION NOT NULL,
  "dimensions" TEXT,
  "duration" DOUBLE PRECISION,
  "status" TEXT NOT NULL,
  "failure" TEXT,
  "isPublic" INTEGER NOT NULL,
  "contentHash" TEXT NOT NULL,
  "storageKey" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
CREATE INDEX "assets_created" ON "assets" ("createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "assets_type" ON "assets" ("type", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "assets_status" ON "assets" ("status", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "assets_public" ON "assets" ("isPublic", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "assets_content" ON "assets" ("contentHash", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "assets_waiting" ON "assets" ("_id") WHERE "status" IN ('PENDING', 'PROCESSING');
CREATE UNIQUE INDEX "assets_storage" ON "assets" ("storageKey");

-- Files that are sent in parts and not all here yet. How far each is, its file knows.
CREATE TABLE "uploads" (
  "_id" TEXT PRIMARY KEY,
  "userId" TEXT NOT NULL,
  "filename" TEXT NOT NULL,
  "size" DOUBLE PRECISION NOT NULL,
  "isPublic" INTEGER NOT NULL,
  "createdAt" TEXT NOT NULL,
  "expiresAt" TEXT NOT NULL
);
CREATE INDEX "uploads_user" ON "uploads" ("userId");
CREATE INDEX "uploads_expiry" ON "uploads" ("expiresAt");

CREATE TABLE "ratings" (
  "_id" TEXT PRIMARY KEY,
  "userId" TEXT NOT NULL,
  "mediaId" TEXT NOT NULL,
  "score" DOUBLE PRECISION NOT NULL,
  "comment" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);
CREATE UNIQUE INDEX "ratings_once" ON "ratings" ("userId", "mediaId") WHERE "deletedAt" IS NULL;
CREATE INDEX "ratings_media" ON "ratings" ("mediaId", "createdAt", "_id") WHERE "deletedAt" IS NULL;
CREATE INDEX "ratings_created" ON "ratings" ("createdAt", "_id") WHERE "deletedAt" IS NULL;

-- Who points at whom: derived from the id lists of the entities, so that "where is this used" needs no scan.
CREATE TABLE "links" (
  "fromKind" TEXT NOT NULL,
  "fromId" TEXT NOT NULL,
  "field" TEXT NOT NULL,
  "toKind" TEXT NOT NULL,
  "toId" TEXT NOT NULL,
  PRIMARY KEY ("fromId", "field", "toId")
);
CREATE INDEX "links_to" ON "links" ("toId", "fromKind", "field", "fromId");

-- The ledger: one row for each write of each entity.
CREATE TABLE "revisions" (
  "_id" TEXT PRIMARY KEY,
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "action" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "batch" TEXT,
  "reason" TEXT,
  "userId" TEXT,
  "username" TEXT NOT NULL,
  "paths" TEXT NOT NULL,
  "snapshot" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL
);
CREATE UNIQUE INDEX "revisions_entity" ON "revisions" ("entityId", "version");
CREATE INDEX "revisions_user" ON "revisions" ("userId", "entityType", "_id");
CREATE INDEX "revisions_batch" ON "revisions" ("batch");

-- Translation history: one row for each language and field that a write changed.
CREATE TABLE "history" (
  "_id" TEXT PRIMARY KEY,
  "revisionId" TEXT NOT NULL REFERENCES "revisions" ("_id"),
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "language" TEXT NOT NULL,
  "field" TEXT NOT NULL,
  "oldValue" TEXT NOT NULL,
  "newValue" TEXT NOT NULL,
  "updatedById" TEXT,
  "updatedBy" TEXT NOT NULL,
  "isRolledBack" INTEGER NOT NULL,
  "rolledBackBy" TEXT,
  "rollbackReason" TEXT,
  "rolledBackAt" TEXT,
  "createdAt" TEXT NOT NULL
);
CREATE INDEX "history_entity" ON "history" ("entityId", "_id");
CREATE INDEX "history_created" ON "history" ("createdAt", "_id");
CREATE INDEX "history_language" ON "history" ("language", "createdAt", "_id");
CREATE INDEX "history_type" ON "history" ("entityType", "createdAt", "_id");
CREATE INDEX "history_both" ON "history" ("entityType", "language", "createdAt", "_id");
CREATE INDEX "history_user" ON "history" ("updatedById", "createdAt", "_id");

CREATE TABLE "activities" (
  "_id" TEXT PRIMARY KEY,
  "type" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "username" TEXT NOT NULL,
  "entityType" TEXT NOT NULL,
  "entityId" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL
);
CREATE INDEX "activities_created" ON "activities" ("createdAt", "_id");
CREATE INDEX "activities_type" ON "activities" ("type", "createdAt", "_id");

-- Headline numbers, kept with the writes that change them: mediaCount, tagCount.GENRE, tagUsage.GENRE, ...
CREATE TABLE "counters" (
  "name" TEXT PRIMARY KEY,
  "value" DOUBLE PRECISION NOT NULL
);
