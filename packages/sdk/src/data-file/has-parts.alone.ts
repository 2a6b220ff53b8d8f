/** As in `has-parts.ts`, for the script without stream and store. */
export const hasParts = false
