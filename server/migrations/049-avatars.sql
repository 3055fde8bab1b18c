-- additive
-- concurrently
-- Finds the accounts whose avatar a picture is: such a picture is not unused (server/src/ledger/assetFlags.ts).
CREATE INDEX "users_avatar" ON "users" ("avatar");
