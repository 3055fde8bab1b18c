-- additive
-- Where files are in a bucket, what has arrived of one so far is there too, an object for each part: any server goes on with
-- it (server/src/assets/uploadParts.ts).
CREATE TABLE "uploadParts" (
  "uploadId" TEXT NOT NULL,
  "offset" DOUBLE PRECISION NOT NULL,
  "size" DOUBLE PRECISION NOT NULL,
  "key" TEXT NOT NULL,
  PRIMARY KEY ("uploadId", "offset")
);
CREATE UNIQUE INDEX "uploadParts_key" ON "uploadParts" ("key");
