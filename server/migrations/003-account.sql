-- The settings of the console: one row. "apiKey" is sealed with a key made from AUTH_SECRET.
CREATE TABLE "settings" (
  "_id" TEXT PRIMARY KEY,
  "siteName" TEXT NOT NULL,
  "defaultLanguage" TEXT NOT NULL,
  "languages" TEXT NOT NULL,
  "baseUrl" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "streamsPerUser" INTEGER NOT NULL,
  "dailyTokensPerUser" INTEGER NOT NULL,
  "sessionHours" DOUBLE PRECISION NOT NULL,
  "apiKey" TEXT NOT NULL DEFAULT '',
  "version" INTEGER NOT NULL,
  "createdBy" TEXT,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL,
  "deletedAt" TEXT
);

-- Links by which a password may be set anew: kept as hashes only. They are void once the account has another address,
-- and all of an account's end with the first that is used.
CREATE TABLE "resets" (
  "tokenHash" TEXT PRIMARY KEY,
  "userId" TEXT NOT NULL REFERENCES "users" ("_id"),
  "email" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL,
  "expiresAt" TEXT NOT NULL
);
CREATE INDEX "resets_user" ON "resets" ("userId");
CREATE INDEX "resets_expiry" ON "resets" ("expiresAt");

-- How many bytes all assets have, kept from here on with the writes that change it.
INSERT INTO "counters" ("name", "value")
  SELECT 'assetSize', COALESCE(SUM("size"), 0) FROM "assets" WHERE "deletedAt" IS NULL;
