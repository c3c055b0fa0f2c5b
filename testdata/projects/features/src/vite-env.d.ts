/// <reference types="vite/client" />
declare const __EDITION__: string
