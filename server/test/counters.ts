/** SQL that reads the counters, which writes maintain: "name" and "value". */
export const COUNTERS = `SELECT "name", sum("value") AS "value" FROM
  (SELECT "name", "value" FROM "counters" UNION ALL SELECT "name", "value" FROM "counterShards") AS "parts" GROUP BY "name"`

/** SQL that increases a counter. */
export const moreOf = (name: string, by: number): string => `INSERT INTO "counters" VALUES ('${name}', ${by})
  ON CONFLICT ("name") DO UPDATE SET "value" = "counters"."value" + ${by}`
