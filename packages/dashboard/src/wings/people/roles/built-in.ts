const sentences: Record<string, string> = {
  OWNER: 'May do everything, and decides who else is an owner.',
  ADMIN: 'May do everything but make, change and remove owners.',
  EDITOR: 'Changes and runs experiments and flags, sees and exports results.',
  ANALYST: 'Sees everything with its results, and changes nothing.',
  VIEWER: 'Sees everything but results, and changes nothing.',
}

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
