/** Other words for the verbs of the dashboard. All that are meant by what was typed are looked for. */
const synonyms: readonly [said: string, meant: string][] = [
  ['switch off', 'pause'],
  ['turn off', 'pause'],
  ['disable', 'pause'],
  ['deactivate', 'pause'],
  ['kill', 'pause'],
  ['stop', 'pause'],
  ['switch on', 'run'],
  ['turn on', 'run'],
  ['enable', 'run'],
  ['activate', 'run'],
  ['start', 'run'],
  ['resume', 'run'],
  ['deploy', 'publish'],
  ['release', 'publish'],
  ['ship', 'publish'],
  ['rollback', 'roll back'],
  ['revert', 'roll back'],
  ['undo', 'roll back'],
  ['restore', 'roll back'],
  ['clean up', 'find stale'],
  ['stale', 'find stale'],
  ['test', 'try'],
  ['plan', 'schedule'],
  ['new', 'create'],
  ['add', 'create'],
  ['make', 'create'],
  ['a/b test', 'create experiment'],
  ['add a person', 'invite'],
  ['add member', 'invite'],
  ['invite member', 'invite'],
  ['night mode', 'dark'],
  ['dark theme', 'dark'],
  ['dark mode', 'dark'],
  ['light theme', 'light'],
  ['light mode', 'light'],
  ['log out', 'sign out'],
  ['logout', 'sign out'],
]

/**
 * What was typed, and what it means in the words of the dashboard: "kill checkout" is also "pause checkout". A word that
 * is not yet complete is left as it is.
 */
export function readings(typed: string): string[] {
  const [, mark = '', text = ''] = /^(\s*>?\s*)(.*)$/s.exec(typed.toLowerCase()) ?? []
  const meant = synonyms
    .filter(([said]) => text === said || text.startsWith(`${said} `))
    .map(([said, verb]) => `${mark}${verb}${text.slice(said.length)}`)
  return [typed, ...meant]
}
