import { expect, test } from 'vitest'
import { answersOnlyHere, memoryWarning, readEnv, readTelemetry } from './env.ts'

test.each(['10.0.0.0/8', '::1, fd00::/8 ,192.168.1.7', '::ffff:10.0.0.1'])('TRUSTED_PROXIES accepts %s', (given) => {
  expect(readEnv({ TRUSTED_PROXIES: given }).TRUSTED_PROXIES).toEqual(given.split(',').map((each) => each.trim()))
})

test.each(['proxy.example.org', '10.0.0.0/33', '10.0.0.0/0', '0.0.0.0/0', '10.0.0.0/8/8', '10.0.0/8', 'true', '1'])(
  'TRUSTED_PROXIES rejects %s in one line',
  (given) => {
    expect(() => readEnv({ TRUSTED_PROXIES: given })).toThrow(
      /^TRUSTED_PROXIES: must be addresses and ranges, such as [^\n]+$/,
    )
  },
)

test('ALLOWED_HOSTS accepts only host names', () => {
  expect(readEnv({ ALLOWED_HOSTS: 'console.example.org, 10.0.0.5:3000,[::1]' }).ALLOWED_HOSTS).toHaveLength(3)
  for (const given of ['https://x.example', 'x.example/path', 'a b'])
    expect(() => readEnv({ ALLOWED_HOSTS: given })).toThrow(/^ALLOWED_HOSTS: must be host names/)
})

test('ALLOWED_HOSTS and TRUSTED_PROXIES are empty by default', () => {
  expect(readEnv({})).toMatchObject({ ALLOWED_HOSTS: [], TRUSTED_PROXIES: [] })
})

test.each([
  ['PORT', 1, 65_535],
  ['DATABASE_REPLICA_LAG', 1, 3600],
  ['DATABASE_POOL', 2, 500],
  ['DATABASE_WAIT', 0, 3600],
  ['ANSWER_CACHE_MB', 0, 4096],
  ['SHUTDOWN_DELAY', 0, 300],
] as const)('%s is a whole number from %i to %i', (name, min, max) => {
  for (const given of [min, max]) expect(readEnv({ [name]: String(given) })[name]).toBe(given)
  for (const given of [min - 1, max + 1])
    expect(() => readEnv({ [name]: String(given) })).toThrow(`${name}: must be a whole number from ${min} to ${max}`)
})

const host = `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.example`
test.each([
  ['ADMIN_EMAIL', `${'a'.repeat(254 - 1 - host.length)}@${host}`, `${'a'.repeat(255 - 1 - host.length)}@${host}`],
  ['ADMIN_PASSWORD', 'x'.repeat(8), 'x'.repeat(7)],
  ['ADMIN_PASSWORD', 'x'.repeat(200), 'x'.repeat(201)],
  ['AUTH_SECRET', 'x'.repeat(32), 'x'.repeat(31)],
] as const)('%s accepts %s, but not %s', (name, accepted, rejected) => {
  expect(readEnv({ [name]: accepted })[name]).toBe(accepted)
  expect(() => readEnv({ [name]: rejected })).toThrow(new RegExp(`^${name}: must (be|have)`))
})

test('rejects an invalid number, and names the allowed range', () => {
  expect(readEnv({ DATABASE_POOL: '40', SHUTDOWN_DELAY: '' })).toMatchObject({ DATABASE_POOL: 40, SHUTDOWN_DELAY: 0 })
  for (const given of ['1', '501', '2.5', 'many', '-3', 'NaN'])
    expect(() => readEnv({ DATABASE_POOL: given })).toThrow('DATABASE_POOL: must be a whole number from 2 to 500')
})

test.each([
  ['PUBLIC_URL', 'localhost:3000', 'Must be an http or https address without a password'],
  ['PUBLIC_URL', 'https://example.org/?a=b', 'Must be an http or https address without a password'],
  ['HOST', '[::1]', 'must be an IP address or a host name, such as 0.0.0.0'],
  ['HOST', '-x', 'must be an IP address or a host name, such as 0.0.0.0'],
  ['HOST', 'http://127.0.0.1', 'must be an IP address or a host name, such as 0.0.0.0'],
  ['PORT', '0', 'must be a whole number from 1 to 65535'],
  ['CONSOLE_ORIGIN', 'https://example.org/console', 'must be an origin, such as https://console.example.org'],
  ['CONSOLE_ORIGIN', 'https://me:pw@example.org', 'must be an origin, such as https://console.example.org'],
  ['ALLOWED_HOSTS', '*', 'must be host names, such as console.example.org,10.0.0.5'],
  ['ADMIN_EMAIL', 'root', 'must be an email address'],
  ['ADMIN_PASSWORD', 'short', 'must have 8 to 200 characters'],
  ['S3_ACCESS_KEY_ID', 'key\u00a0id', 'must contain only ASCII characters, and no spaces'],
  ['S3_ENDPOINT', 's3.example.org', 'Must be an http or https address without a password'],
  ['S3_ENDPOINT', 'https://key:secret@s3.example.org', 'Must be an http or https address without a password'],
  ['S3_BUCKET', 'assets/catalogue', 'must be the name of a bucket, without a path'],
  ['S3_REGION', 'eu central', 'must be the name of a region, such as us-east-1'],
  ['DATABASE_URL', 'mysql://127.0.0.1/x', 'must start with postgres://'],
  ['MAIL_FROM', 'nobody', 'must be an email address'],
  ['MAIL_FROM', 'Us\r\nBcc: them <all@example.org>', 'must be an email address'],
  ['AUTH_SECRET', 'short', 'must have at least 32 characters'],
  ['AI_BASE_URL', 'ftp://models.example.org', 'Must be an http or https address without a password'],
  ['AI_SEARCH_URL', 'https://me:pw@search.example.org', 'Must be an http or https address without a password'],
  ['AI_API_KEY', 'sk–pasted', 'must contain only ASCII characters'],
  ['SMTP_URL', 'mail.example.org', 'must be an address such as smtp://user:password@mail.example.org:587'],
  ['SMTP_URL', 'smtp://', 'must be an address such as smtp://user:password@mail.example.org:587'],
  ['SMTP_URL', 'smtp://me:100%sure@mail.example.org', 'must have %25 for a % in the password'],
  ['SAMPLE_CATALOGUE', 'true', 'must be on or off'],
  ['LOG_LEVEL', 'warning', 'must be one of fatal, error, warn, info, debug, trace, silent'],
])('%s rejects %s, and says what it accepts', (name, value, message) => {
  expect(() => readEnv({ [name]: value })).toThrow(new Error(`${name}: ${message}`))
})

test('rejects a bucket with incomplete settings', () => {
  const bucket = { S3_BUCKET: 'a', S3_ENDPOINT: 'http://127.0.0.1', S3_ACCESS_KEY_ID: 'b', S3_SECRET_ACCESS_KEY: 'c' }
  expect(() => readEnv({ ...bucket, S3_REGION: '' })).toThrow(
    /^S3_REGION: is not set\. To keep assets in a bucket, set all of S3_BUCKET, .*; to keep them in DATA_DIR, set none of them\.$/,
  )
})

test('a line end at the end of a value is ignored', () => {
  const given = {
    ADMIN_PASSWORD: 'correct horse\r',
    AUTH_SECRET: `${'x'.repeat(40)}\n`,
    DATA_DIR: '/data\r\n',
    HOST: '\r',
  }
  expect(readEnv(given)).toMatchObject({
    ADMIN_PASSWORD: 'correct horse',
    AUTH_SECRET: 'x'.repeat(40),
    DATA_DIR: '/data',
    HOST: '127.0.0.1',
  })
})

test('spaces around a value are ignored, but are part of a password', () => {
  const given = {
    DATA_DIR: ' /data\t',
    DATABASE_URL: ' postgres://db/mokuroku ',
    PORT: ' ',
    ADMIN_PASSWORD: ' correct horse ',
  }
  expect(readEnv(given)).toMatchObject({
    DATA_DIR: '/data',
    DATABASE_URL: 'postgres://db/mokuroku',
    PORT: 3000,
    ADMIN_PASSWORD: ' correct horse ',
  })
})

test('CONSOLE_ORIGIN is the origin as browsers send it', () => {
  for (const given of ['https://Console.Example.org:443', 'https://console.example.org/'])
    expect(readEnv({ CONSOLE_ORIGIN: given }).CONSOLE_ORIGIN).toBe('https://console.example.org')
})

test('PUBLIC_URL is derived from HOST and PORT by default', () => {
  for (const [HOST, url] of [
    ['0.0.0.0', 'http://localhost:80'],
    ['0', 'http://localhost:80'],
    ['::0', 'http://localhost:80'],
    ['::1', 'http://[::1]:80'],
    ['fe80::1%eth0', 'http://[fe80::1]:80'],
    ['catalogue.example.org', 'http://catalogue.example.org:80'],
  ])
    expect(readEnv({ HOST, PORT: '80' }).PUBLIC_URL).toBe(url)
})

test('DATABASE_URL accepts several hosts with target_session_attrs, and rejects invalid URLs', () => {
  readEnv({ DATABASE_URL: 'postgres://me:pw@a:5432,b:5432/mokuroku?target_session_attrs=read-write' })
  for (const given of [
    'mysql://a/x',
    'postgres://me:a/b@host/x',
    'postgres://a:x/y',
    'postgres://a,b/x?target_session_attrs=standby',
  ])
    expect(() => readEnv({ DATABASE_URL: given })).toThrow(/^DATABASE_URL: must [^\n]+$/)
})

test.each(['%3F', '%3f', '%23'])('DATABASE_URL rejects a name with %s, which the driver would not decode', (sign) => {
  expect(() => readEnv({ DATABASE_URL: `postgres://a/my${sign}name` })).toThrow(
    new Error('DATABASE_URL: the name of the database must not contain ? or #'),
  )
})

test('DATABASE_URL rejects an unknown parameter, such as a misspelt sslmode', () => {
  readEnv({ DATABASE_URL: 'postgres://a/x?sslmode=require&application_name=catalogue&connect_timeout=5' })
  for (const name of ['sslmod', 'schema', 'gssencmode'])
    for (const variable of ['DATABASE_URL', 'DATABASE_REPLICA_URL'])
      expect(() => readEnv({ [variable]: `postgres://a,b/x?${name}=require&target_session_attrs=any` })).toThrow(
        new Error(`${variable}: the parameter ${name} is not supported; correct its name, or remove it`),
      )
})

test.each([
  ['sslmode=require&sslmode=disable', 'the parameter sslmode is there twice; remove one of them'],
  ['port=abc', 'port must be a whole number from 1 to 65535'],
  ['port=70000', 'port must be a whole number from 1 to 65535'],
  ['statement_timeout=30s', 'statement_timeout must be a whole number'],
  ['sslrootcert=/', 'sslrootcert must be a file that can be read, and / is none'],
  ['sslnegotiation=abc', 'sslnegotiation must be postgres or direct'],
  ['ssl=false', 'ssl must be true'],
  ['ssl=', 'ssl must be true'],
  ['channel_binding=abc', 'channel_binding must be disable, prefer or require'],
  ['sslmode=require&sslrootcert=system', 'sslrootcert=system needs sslmode=verify-full'],
  [
    'sslnegotiation=direct&sslmode=disable',
    'sslnegotiation=direct is for encrypted connections, which sslmode=disable excludes',
  ],
  ['host=db1,db2', 'several hosts must be in front of the name, as in postgres://user:password@db1:5432,db2:5432/name'],
])('DATABASE_URL rejects the parameter %s', (parameters, message) => {
  readEnv({ DATABASE_URL: 'postgres:///x?host=/run/postgresql&port=5433&statement_timeout=1000' })
  expect(() => readEnv({ DATABASE_URL: `postgres://a/x?${parameters}` })).toThrow(new Error(`DATABASE_URL: ${message}`))
})

test('a demonstration can listen only on this machine', () => {
  for (const HOST of ['127.0.0.1', 'localhost', '::1', '127.1.2.3']) readEnv({ DEMO: 'on', HOST })
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'example.org'])
    expect(() => readEnv({ DEMO: 'on', HOST })).toThrow(
      new Error('HOST: must be 127.0.0.1 for a demo, because its password is public.'),
    )
})

test('detects a server that listens on all interfaces but has no name to be reached by', () => {
  expect(answersOnlyHere(readEnv({ HOST: '0.0.0.0' }))).toBe(true)
  for (const more of [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, { ALLOWED_HOSTS: '192.168.1.5' }, { HOST: '::1' }])
    expect(answersOnlyHere(readEnv({ HOST: '0.0.0.0', ...more }))).toBe(false)
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http or https address'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector', 'must be an http or https address'],
])('%s rejects %s', (name, value, message) => {
  expect(() => readTelemetry({ [name]: value })).toThrow(new Error(`${name}: ${message}`))
})

test('warns of a container with too little memory', () => {
  expect(memoryWarning(384 * 1024 ** 2)).toMatch(
    /limited to 384 MB of memory, .* needs at least 512 MB, and 1024 MB if/,
  )
  // No limit is known, the minimum, and what Linux reports if there is no limit.
  for (const bytes of [0, 512 * 1024 ** 2, 2 ** 64]) expect(memoryWarning(bytes)).toBeUndefined()
})
