/** The signs of variations by their place in the flag, as outlines around the center 0 0. */
export const marks = [
  'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z',
  'M-4.5 -4.5h9v9h-9z',
  'M0 -5.5l5.5 10h-11z',
  'M0 -6l6 6l-6 6l-6 -6z',
]
