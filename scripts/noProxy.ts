// Imported for its effect by the configurations of the tests: whatever proxy is set for whoever runs them, their servers
// on loopback are reached directly.
const { NO_PROXY, no_proxy: given = NO_PROXY } = process.env
const hosts = [given, '127.0.0.1', 'localhost'].filter(Boolean).join(',')
Object.assign(process.env, { NO_PROXY: hosts, no_proxy: hosts })
