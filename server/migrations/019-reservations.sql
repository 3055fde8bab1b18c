-- Which entity of a queue somebody works on (server/src/work): until when, nobody else gets it from there.
CREATE TABLE "reservations" (
  "entityId" TEXT PRIMARY KEY,
  "entityType" TEXT NOT NULL,
  "userId" TEXT NOT NULL,
  "until" TEXT NOT NULL
);
CREATE INDEX "reservations_of_user" ON "reservations" ("userId", "until", "entityId");
CREATE INDEX "reservations_until" ON "reservations" ("until");
