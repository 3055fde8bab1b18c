-- additive
-- How many comments a user has written on a day (UTC), including those deleted since: server/src/comments/quota.ts.
CREATE TABLE "commentCounts" (
  "userId" TEXT NOT NULL,
  "day" TEXT NOT NULL,
  "comments" INTEGER NOT NULL,
  PRIMARY KEY ("userId", "day")
);
-- The daily limit was counted by it.
DROP INDEX "comments_author";
