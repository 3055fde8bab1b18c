import { expect, test } from 'vitest'
import { hostOf, parseHosts } from './hosts.ts'

test.each([
  ['postgres://db/mokuroku', ['postgres://db/mokuroku'], 'any'],
  [
    'postgresql://me:p%2Cw@a:5432,b:6432,[::1]:5433/mokuroku?sslmode=require&target_session_attrs=read-write',
    [
      'postgresql://me:p%2Cw@a:5432/mokuroku?sslmode=require&uselibpqcompat=true',
      'postgresql://me:p%2Cw@b:6432/mokuroku?sslmode=require&uselibpqcompat=true',
      'postgresql://me:p%2Cw@[::1]:5433/mokuroku?sslmode=require&uselibpqcompat=true',
    ],
    'read-write',
  ],
  ['postgres://a,b/x?target_session_attrs=primary', ['postgres://a/x', 'postgres://b/x'], 'primary'],
  [
    'postgres://a/x?sslmode=verify-full&sslrootcert=system',
    ['postgres://a/x?sslmode=verify-full&uselibpqcompat=true'],
    'any',
  ],
  // Encrypted, as in libpq.
  ['postgres://a/x?sslrootcert=system', ['postgres://a/x?sslmode=verify-full&uselibpqcompat=true'], 'any'],
  // The driver would not decode these.
  ['postgres://me:a:b@a/na%2Fme%40%3A%2Bx%2541', ['postgres://me:a:b@a/na/me@:+x%2541'], 'any'],
  ['postgres://me:p%2Fw%@a/my name', ['postgres://me:p%2Fw%25@a/my%20name'], 'any'],
  ['postgres:///x?host=/run/postgresql', ['postgres:///x?host=%2Frun%2Fpostgresql'], 'any'],
  ['postgres://me:pw@/x?host=/run/postgresql', ['postgres://me:pw@/x?host=%2Frun%2Fpostgresql'], 'any'],
  ['postgres://me@%2Frun%2Fpostgresql/x', ['postgres://me@%2Frun%2Fpostgresql/x'], 'any'],
])('parses the hosts of %s', (url, urls, target) => {
  expect(parseHosts(url)).toEqual({ urls, target })
})

test.each([
  'mysql://a/x',
  'postgres://a/x?target_session_attrs=standby',
  'postgres://a/x?target_session_attrs=',
  'postgres://a:port/x',
  'postgres://me:%E9@a/x',
  'postgres://a/%E9',
  'postgres://a:99999,b/x',
])('refuses %s', (url) => {
  expect(parseHosts(url)).toBeUndefined()
})

test.each([
  ['postgres://me:pw@db:5433/x', 'db:5433'],
  ['postgres://me@/x?host=/run/postgresql', '/run/postgresql'],
  ['postgres://me@%2Frun%2Fpostgresql/x', '/run/postgresql'],
])('the host of %s is %s', (url, host) => {
  expect(hostOf(url)).toBe(host)
})
