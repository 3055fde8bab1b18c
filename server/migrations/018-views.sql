-- Lists as somebody wants to see them again.

CREATE TABLE "views" (
  "_id" TEXT PRIMARY KEY,
  "name" TEXT NOT NULL,
  "entityType" TEXT NOT NULL,
  "filters" TEXT NOT NULL,
  "sort" TEXT,
  "columns" TEXT NOT NULL,
  "shared" INTEGER NOT NULL,
  "version" INTEGER NOT NULL,
  "createdBy" TEXT NOT NULL,
  "createdAt" TEXT NOT NULL,
  "updatedAt" TEXT NOT NULL
);
CREATE INDEX "views_own" ON "views" ("createdBy", "name", "_id");
CREATE INDEX "views_shared" ON "views" ("name", "_id") WHERE "shared" = 1;
