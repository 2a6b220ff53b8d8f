export type Encoding = 'br' | 'gzip' | 'identity'

const preference: Encoding[] = ['br', 'gzip']

/** The smallest encoding that the client accepts. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const accepted = new Map(
    (acceptEncoding ?? '').split(',').map((entry): [string, boolean] => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))]
    }),
  )
  return preference.find((encoding) => accepted.get(encoding) ?? false) ?? 'identity'
}
