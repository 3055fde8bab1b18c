/** The form of an AI media suggestion, as described to the model or the AI search service that answers. */
export const SUGGESTION_FORM = `{
  "mediaType": "ANIME", "MANGA" or "NOVEL",
  "translations": { "<language tag>": { "title": "…", "description": "two to four sentences, without spoilers" } },
  "originalTitle": "…",
  "releaseDate": "the day of the first release, as 1998-04-03T00:00:00.000Z",
  "duration": minutes of an episode, as a number,
  "episodes": episodes or chapters, as a number,
  "isOngoing": true or false,
  "characters": two main characters, each { "translations": { "<language tag>": { "name": "…", "description": "…" } },
    "originalName": "…", "tags": ["Male"] or ["Female"], "assets": [], "cover": "" },
  "tags": two tags in English, such as ["Adventure", "Science Fiction"],
  "cover": "",
  "assets": []
}`

/**
 * The `requirement` of an AI search for a media item: the form that the answer must have to be compared and saved, and
 * the languages of the catalogue.
 */
export const suggestionRequirement = (
  languages: readonly string[],
): string => `Answer about one anime, manga or novel of this name. The answer ends with one block that begins with \`\`\`json
and ends with \`\`\`, which holds one object of this form and nothing else:
${SUGGESTION_FORM}
Give titles and descriptions in these languages, and in that of the original: ${languages.join(', ')}.
Leave out every field that is not known for certain. If no such work is found, say so in one sentence, without a block.`
