// Builds and starts the container image. Skipped unless a Docker engine is running that has, or can pull, Node's image.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './locked.ts'

const BASE = /^FROM (\S+) AS build$/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8'))?.[1] ?? ''
const answers = (...args: string[]) => spawnSync('docker', args, { timeout: 300_000 }).status === 0
const has = (image: string) => answers('image', 'inspect', image) || answers('pull', '--quiet', image)
const canBuild = answers('version', '--format', '{{.Server.Version}}') && has(BASE)
const docker = (...args: string[]) => execFileSync('docker', args, { cwd: root, encoding: 'utf8' }).trim()

test.runIf(canBuild)(
  'the container image builds, and serves with a read-only root file system',
  { timeout: 900_000 },
  async () => {
    const image = `mokuroku-test-${process.pid}`
    onTestFinished(() => void spawnSync('docker', ['image', 'rm', '--force', image]))
    docker('build', '--quiet', '--tag', image, '.')
    const container = docker('run', '--detach', '--read-only', '--tmpfs', '/tmp', '--publish', '127.0.0.1::3000', image)
    onTestFinished(() => void spawnSync('docker', ['rm', '--force', '--volumes', container]))
    const isReady = async () => {
      const answer = await fetch(`http://${docker('port', container, '3000/tcp')}/readyz`).catch(() => undefined)
      return answer?.status === 200
    }
    await expect.poll(isReady, { interval: 200 }).toBe(true)
    expect(docker('exec', container, 'id', '-u')).not.toBe('0')
    expect(docker('exec', container, 'mokuroku', 'admin', 'verify')).toMatch(/^No problems found$/m)
  },
)
