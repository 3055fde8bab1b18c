-- What a user is told. "seq" counts a user's notifications in the order of their commits, because the row of the inbox
-- is locked from the number's being given until then: who knows the last one that they saw misses none.
CREATE TABLE "notifications" (
  "userId" TEXT NOT NULL REFERENCES "users" ("_id") ON DELETE CASCADE,
  "seq" INTEGER NOT NULL,
  "_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "data" TEXT NOT NULL,
  "readAt" TEXT,
  "createdAt" TEXT NOT NULL,
  PRIMARY KEY ("userId", "seq")
);
CREATE INDEX "notifications_unread" ON "notifications" ("userId") WHERE "readAt" IS NULL;
CREATE INDEX "notifications_created" ON "notifications" ("createdAt");

-- How far each user's notifications are: the last number given, and how often some were marked as read.
CREATE TABLE "inboxes" (
  "userId" TEXT PRIMARY KEY REFERENCES "users" ("_id") ON DELETE CASCADE,
  "seq" INTEGER NOT NULL,
  "marks" INTEGER NOT NULL
);
