-- What users chose for their screens: the columns of lists, by kind, as JSON.

CREATE TABLE "preferences" (
  "userId" TEXT PRIMARY KEY,
  "columns" TEXT NOT NULL
);
