// A lint rule against flaky browser tests. A page updates asynchronously, so a test that reads it only once and
// compares the value fails now and then. `await expect(locator)…`, `expect.poll` and `toPass` wait;
// e2e/support/reading.ts has functions for reading a value that the test uses afterwards.

/** Locator methods that read once, or that fail if the page re-renders the element meanwhile. */
const READS = new Set(
  'all allInnerTexts allTextContents boundingBox count getAttribute innerHTML innerText inputValue isChecked isDisabled isEditable isEnabled isHidden isVisible scrollIntoViewIfNeeded textContent'.split(
    ' ',
  ),
)
/** Methods whose value may be used afterwards, but not asserted. */
const STATE = new Set(['evaluate', 'evaluateAll', 'url', 'title'])
const IN_THE_PAGE = new Set(['evaluate', 'evaluateAll', 'waitForFunction'])
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])

interface Node {
  type: string
  parent?: Node
  name?: string
  id?: Node
  callee?: Node
  object?: Node
  property?: Node
  argument?: Node
  source?: { value: string }
  specifiers?: { local: Node }[]
}
interface Context {
  report(problem: { node: Node; message: string }): void
}

const MESSAGE = 'This is read once: use an assertion that waits (await expect(locator)…, expect.poll, toPass).'
const TIME = 'Wait for what the page shows, not for a time.'

const rule = {
  create(context: Context) {
    /** Functions that read the page; they must be called through expect.poll. */
    const readers = new Set<string>()
    const compared: { node: Node; name: string }[] = []
    const refuse = (node: Node, message = MESSAGE) => context.report({ node, message })
    return {
      ImportDeclaration({ source, specifiers = [] }: Node) {
        if (source?.value.endsWith('/reading.ts')) for (const { local } of specifiers) readers.add(local.name ?? '')
      },
      CallExpression(node: Node) {
        const { callee } = node
        if (callee?.type === 'Identifier' && isCompared(node)) compared.push({ node, name: callee.name ?? '' })
        const name = callee?.property?.name ?? ''
        const object = callee?.object?.name ?? ''
        if (name === 'waitForTimeout') refuse(node, TIME)
        const isRead = READS.has(name) && object !== 'Promise'
        const isState = STATE.has(name) && (name !== 'url' || /page$/i.test(object))
        if (!isRead && !isState) return
        const around = functionsAround(node)
        if (around.some(isInThePage)) return
        for (const each of around) if (helperName(each)) readers.add(helperName(each))
        if (isState ? isCompared(node) : !around.some((each) => isPolled(each) || helperName(each))) refuse(node)
      },
      'Program:exit'() {
        for (const { node, name } of compared) if (readers.has(name)) refuse(node)
      },
    }
  },
}

function* ancestors(node: Node): Generator<Node> {
  for (let at = node.parent; at; at = at.parent) yield at
}

const functionsAround = (node: Node): Node[] => [...ancestors(node)].filter(({ type }) => FUNCTIONS.has(type))

/** The name of a function in `const name = () => …`; '' otherwise. */
const helperName = ({ parent }: Node): string =>
  (parent?.type === 'VariableDeclarator' ? parent.id?.name : undefined) ?? ''

const isExpect = (node: Node | undefined) => node?.type === 'CallExpression' && node.callee?.name === 'expect'

/** Whether a function is passed to expect.poll(…) or expect(…).toPass(). */
const isPolled = ({ parent }: Node): boolean =>
  isExpect(parent) || (parent?.type === 'CallExpression' && parent.callee?.property?.name === 'poll')

const isInThePage = ({ parent }: Node): boolean => IN_THE_PAGE.has(parent?.callee?.property?.name ?? '')

/** Whether a node is part of a value passed to expect(…), outside of nested functions. */
function isCompared(node: Node): boolean {
  for (const each of ancestors(node)) {
    if (isExpect(each)) return true
    if (FUNCTIONS.has(each.type)) return false
  }
  return false
}

export default { meta: { name: 'e2e' }, rules: { 'read-once': rule } }
