// Run before `npm start` and other scripts: reports that Node is too old. Plain JavaScript, so that old versions can
// run it.
const version = process.argv[2] ?? process.versions.node

if (Number.parseInt(version) < 24) {
  process.stderr
    .write(`Mokuroku needs Node 24 or newer, and this is ${version}. npm installs it with the project, unless install scripts are disabled:
run "npm rebuild node --ignore-scripts=false", or install Node 24.\n`)
  process.exitCode = 1
}
