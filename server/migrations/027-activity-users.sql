-- Who did it, by the account: a name may change. NULL where nobody signed in did, or the account is not known any more.

ALTER TABLE "activities" ADD COLUMN "userId" TEXT;
UPDATE "activities" SET "userId" = (SELECT "_id" FROM "users" WHERE "users"."username" = "activities"."username");
