-- How often the processing of a file was begun since it was stored. A file that ends it again and again is given up.
ALTER TABLE "assets" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0;

-- The session that began an upload in parts: the upload ends with it.
ALTER TABLE "uploads" ADD COLUMN "sessionId" TEXT;

-- How many files a user has sent on a day (UTC), refused ones included.
CREATE TABLE "uploadCounts" (
  "userId" TEXT NOT NULL,
  "day" TEXT NOT NULL,
  "files" INTEGER NOT NULL,
  PRIMARY KEY ("userId", "day")
);
