-- When the password was last entered again in a session; empty until then.
ALTER TABLE "sessions" ADD COLUMN "confirmedAt" TEXT;

-- The names that accounts have and had lately, as they look (server/src/users/usernames.ts): one account each. Names from
-- before this table are added at the next start.
CREATE TABLE "usernames" (
  "key" TEXT PRIMARY KEY,
  "userId" TEXT NOT NULL REFERENCES "users" ("_id"),
  "createdAt" TEXT NOT NULL
);
CREATE INDEX "usernames_user" ON "usernames" ("userId", "createdAt");
