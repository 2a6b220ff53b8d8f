const sentences: Record<string, string> = {
  OWNER: 'Can do everything, and decides who else is an owner.',
  ADMIN: 'Can do everything except add, change and remove owners.',
  EDITOR:
    'Can change flags and experiments, run and pause them, and see and export results. Cannot publish: owners and admins do.',
  ANALYST: 'Can see everything, results included. Cannot change anything.',
  VIEWER: 'Can see everything except results. Cannot change anything.',
}

/** Built-in roles have names in capitals in the API: `OWNER` is "Owner". */
export const roleName = ({
  name,
  builtIn = Object.hasOwn(sentences, name),
}: {
  name: string
  builtIn?: boolean
}): string => (builtIn ? `${name.charAt(0)}${name.slice(1).toLowerCase()}` : name)

/** What a role is for, in a sentence. */
export const roleSentence = ({
  name,
  builtIn,
  description,
}: {
  name: string
  builtIn: boolean
  description: string | null
}): string | undefined => (builtIn ? sentences[name] : undefined) ?? description ?? undefined
