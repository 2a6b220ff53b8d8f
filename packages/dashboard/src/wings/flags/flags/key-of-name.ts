const maxLength = 128

/** A key made of a name: "Búsqueda nueva (v2)" becomes "busqueda-nueva-v2". Empty if no character can be kept. */
export const keyOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')
