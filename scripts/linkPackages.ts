import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const WORKSPACES = ['contract', 'server', 'console']

/** Links every installed package into a copy of this repository; our own workspaces are linked to those of the copy. */
export function linkPackages(copy: string): void {
  for (const workspace of ['.', ...WORKSPACES]) {
    const from = path.join(root, workspace, 'node_modules')
    const to = path.join(copy, workspace, 'node_modules')
    for (const name of existsSync(from) ? readdirSync(from) : []) {
      if (name === '@mokuroku' || name === '.cache') continue
      mkdirSync(to, { recursive: true })
      symlinkSync(path.join(from, name), path.join(to, name))
    }
  }
  mkdirSync(path.join(copy, 'node_modules/@mokuroku'))
  for (const workspace of WORKSPACES)
    symlinkSync(path.join(copy, workspace), path.join(copy, 'node_modules/@mokuroku', workspace))
}
