import { z } from "zod";

// Zod would try `new Function`, which the page's policy forbids and reports. Must run before any schema is created.
z.config({ jitless: true });
