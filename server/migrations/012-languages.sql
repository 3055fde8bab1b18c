-- Which languages are in use is read from here by skipping from one to the next.
CREATE INDEX "labels_language" ON "labels" ("kind", "language");
