-- additive
-- An entry of the history is found by the indexes that are left: those of a language by the index of each kind and language
-- (server/src/history/store.ts), those of an entity or a user by the index of its revisions.
DROP INDEX "history_language";
DROP INDEX "history_entity";
DROP INDEX "history_user";
