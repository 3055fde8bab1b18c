/** The numbers kept with the writes that change them, as SQL: "name" and "value". */
export const COUNTERS = `SELECT "name", sum("value") AS "value" FROM
  (SELECT "name", "value" FROM "counters" UNION ALL SELECT "name", "value" FROM "counterShards") AS "parts" GROUP BY "name"`

/** SQL that makes one of them more by so many. */
export const moreOf = (name: string, by: number): string => `INSERT INTO "counters" VALUES ('${name}', ${by})
  ON CONFLICT ("name") DO UPDATE SET "value" = "counters"."value" + ${by}`
