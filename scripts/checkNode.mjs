// What `npm start` and its like do first: say which Node is missing, in a language that an old one reads.
const version = process.argv[2] ?? process.versions.node

if (Number.parseInt(version) < 24) {
  process.stderr
    .write(`Mokuroku needs Node 24 or newer, and this is ${version}. npm installs one beside it, unless install scripts are off:
run "npm rebuild node --ignore-scripts=false", or install Node 24.\n`)
  process.exitCode = 1
}
