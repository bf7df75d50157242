/* A host as the judges of the course are, for the tests of the library.
 *
 * usage: host ONE.so TWO.so RANDOM_BOARDS
 *
 * Loads two copies of the library into one process, plays whole games between
 * them and judges every answer by rules of its own; then passes arguments that
 * no judge should. Each call comes from a new thread and each answer is freed
 * from another. Arrays end at the edge of their memory: reading one number too
 * many is a crash. Prints a line for each game, probe and corrupted call.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 16, SIDE_BY_SIDE = 4 };

struct Point {
    int x, y;
};
typedef struct Point *(*Get)(int, int, const int *, const int *, int, int, int, int);
typedef void (*Clear)(struct Point *);

struct Library {
    Get get;
    Clear clear;
};
static struct Library libraries[2];

static void *checked(void *pointer, const char *what) {
    if (pointer == NULL || pointer == MAP_FAILED) {
        const char *why = dlerror();
        fprintf(stderr, "host: %s failed: %s\n", what, why ? why : "");
        exit(2);
    }
    return pointer;
}

static struct Library load(const char *path) {
    void *handle = checked(dlopen(path, RTLD_NOW | RTLD_LOCAL), "dlopen");
    struct Library library;
    *(void **)&library.get = checked(dlsym(handle, "getPoint"), "getPoint");
    *(void **)&library.clear = checked(dlsym(handle, "clearPoint"), "clearPoint");
    return library;
}

/* --- memory that ends where its numbers end ------------------------------ */

struct Fenced {
    char *start;
    size_t bytes;
    int *numbers;
};

static struct Fenced fence(const int *numbers, size_t count) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct Fenced fenced = {NULL, 2 * page, NULL};
    if (numbers == NULL)
        return fenced;
    fenced.start = checked(mmap(NULL, fenced.bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                           "mmap");
    mprotect(fenced.start + page, page, PROT_NONE);
    fenced.numbers = (int *)(void *)(fenced.start + page) - count;
    memcpy(fenced.numbers, numbers, count * sizeof(int));
    return fenced;
}

static void release(struct Fenced fenced) {
    if (fenced.start != NULL)
        munmap(fenced.start, fenced.bytes);
}

/* --- calls --------------------------------------------------------------- */

struct Call {
    const struct Library *library;
    int rows, columns;
    const int *top, *board;
    int last_x, last_y, no_x, no_y;
    struct Point *answer;
};

static void *get_in_thread(void *argument) {
    struct Call *call = argument;
    call->answer = call->library->get(call->rows, call->columns, call->top, call->board,
                                      call->last_x, call->last_y, call->no_x, call->no_y);
    return NULL;
}

static void *clear_in_thread(void *argument) {
    struct Call *call = argument;
    call->library->clear(call->answer);
    return NULL;
}

static void run_thread(void *(*body)(void *), struct Call *call) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, call) != 0) {
        fprintf(stderr, "host: no thread\n");
        exit(2);
    }
    pthread_join(thread, NULL);
}

/* The answer to a call whose arrays hold so many numbers. */
static struct Point ask(struct Call call, size_t top_count, size_t board_count) {
    struct Fenced top = fence(call.top, top_count), board = fence(call.board, board_count);
    call.top = top.numbers;
    call.board = board.numbers;
    run_thread(get_in_thread, &call);
    struct Point answer = *(struct Point *)checked(call.answer, "an answer");
    run_thread(clear_in_thread, &call);
    release(top);
    release(board);
    return answer;
}

/* --- the game ------------------------------------------------------------ */

struct Game {
    int rows, columns, no_x, no_y;
    int cells[MOST * MOST]; /* 0 empty, 1 first side, 2 second side */
    int top[MOST];
};

static void skip_forbidden(struct Game *game, int y) {
    if (y == game->no_y && game->top[y] - 1 == game->no_x)
        game->top[y]--;
}

static struct Game start(int rows, int columns, int no_x, int no_y) {
    struct Game game = {rows, columns, no_x, no_y, {0}, {0}};
    for (int y = 0; y < columns; y++) {
        game.top[y] = rows;
        skip_forbidden(&game, y);
    }
    return game;
}

static void put(struct Game *game, int side, int y) {
    int x = game->top[y]-- - 1;
    game->cells[x * game->columns + y] = side;
    skip_forbidden(game, y);
}

/* Plays columns in turn; the side that is next. */
static int put_all(struct Game *game, const char *columns) {
    int side = 1;
    for (; *columns; columns++, side = 3 - side)
        put(game, side, *columns - '0');
    return side;
}

static int is_legal(const struct Game *game, struct Point at) {
    return at.y >= 0 && at.y < game->columns && at.x >= 0 && game->top[at.y] == at.x + 1;
}

static int has_four(const struct Game *game, int side) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int x = 0; x < game->rows; x++)
        for (int y = 0; y < game->columns; y++)
            for (int d = 0; d < 4; d++) {
                int n = 0, i = x, j = y;
                while (n < 4 && i < game->rows && j >= 0 && j < game->columns &&
                       game->cells[i * game->columns + j] == side) {
                    n++;
                    i += steps[d][0];
                    j += steps[d][1];
                }
                if (n == 4)
                    return 1;
            }
    return 0;
}

static int is_full(const struct Game *game) {
    for (int y = 0; y < game->columns; y++)
        if (game->top[y] > 0)
            return 0;
    return 1;
}

/* The cells as `side` sees them: 1 the opponent, 2 itself. */
static void show(const struct Game *game, int side, int *seen) {
    for (int i = 0; i < game->rows * game->columns; i++)
        seen[i] = game->cells[i] == 0 ? 0 : game->cells[i] == side ? 2 : 1;
}

/* What `library` plays for `side`. */
static struct Point answer(const struct Library *library, const struct Game *game, int side,
                           struct Point last) {
    int seen[MOST * MOST], count = game->rows * game->columns;
    show(game, side, seen);
    struct Call call = {library, game->rows, game->columns, game->top, seen,
                        last.x,  last.y,     game->no_x,    game->no_y, NULL};
    return ask(call, (size_t)game->columns, (size_t)count);
}

/* Plays a game, `first` being the library that opens, and writes how it went. */
static void play(struct Game game, int first, char *report, size_t size) {
    struct Point last = {-1, -1};
    char name[64];
    snprintf(name, sizeof name, "%dx%d@%d,%d", game.rows, game.columns, game.no_x, game.no_y);
    for (int ply = 0;; ply++) {
        int mover = (first + ply) % 2, side = ply % 2 + 1;
        last = answer(&libraries[mover], &game, side, last);
        if (!is_legal(&game, last)) {
            snprintf(report, size, "game %s: library %d ILLEGAL %d,%d at ply %d", name, mover + 1,
                     last.x, last.y, ply);
            return;
        }
        put(&game, side, last.y);
        if (has_four(&game, side)) {
            snprintf(report, size, "game %s: library %d won", name, mover + 1);
            return;
        }
        if (is_full(&game)) {
            snprintf(report, size, "game %s: drawn", name);
            return;
        }
    }
}

static void play_both_colours(struct Game game) {
    char report[160];
    for (int first = 0; first < 2; first++) {
        play(game, first, report, sizeof report);
        puts(report);
    }
}

static uint64_t random_state = 1;

static int below(int bound) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)bound);
}

static struct Game random_start(void) {
    int rows = 9 + below(4), columns = 9 + below(4);
    int no_x = below(rows), no_y = below(columns);
    return start(rows, columns, no_x, no_y);
}

struct Table {
    struct Game game;
    int first;
    char report[160];
};

static void *play_in_thread(void *argument) {
    struct Table *table = argument;
    play(table->game, table->first, table->report, sizeof table->report);
    return NULL;
}

/* Games at the same time, through the same two libraries. */
static void play_side_by_side(void) {
    struct Table tables[SIDE_BY_SIDE];
    pthread_t threads[SIDE_BY_SIDE];
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        tables[i].game = i % 2 ? random_start() : start(9, 9, 4, 4);
        tables[i].first = i % 2;
        pthread_create(&threads[i], NULL, play_in_thread, &tables[i]);
    }
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        pthread_join(threads[i], NULL);
        puts(tables[i].report);
    }
}

/* --- positions with one right answer ------------------------------------- */

/* What each library plays after `columns`. */
static void probe(const char *name, struct Game game, const char *columns) {
    int side = put_all(&game, columns);
    for (int i = 0; i < 2; i++) {
        struct Point at = answer(&libraries[i], &game, side, (struct Point){-1, -1});
        printf("probe %s: %d,%d\n", name, at.x, at.y);
    }
}

static void probe_all(void) {
    probe("win of the second", start(9, 9, 4, 4), "0808085");
    probe("win of the first", start(10, 9, 9, 0), "808080");
    probe("win above the forbidden cell", start(9, 12, 8, 3), "0011228");
    probe("block", start(9, 12, 0, 7), "70717");
}

/* --- arguments that no judge should pass --------------------------------- */

static int legal_by_top(const struct Call *call, struct Point at) {
    if (call->top == NULL || call->top[at.y] != at.x + 1)
        return 0;
    return call->board == NULL || call->board[at.x * call->columns + at.y] == 0;
}

static int legal_by_board(const struct Call *call, struct Point at) {
    if (call->board == NULL || call->board[at.x * call->columns + at.y] != 0)
        return 0;
    for (int x = at.x + 1; x < call->rows; x++)
        if (call->board[x * call->columns + at.y] == 0 &&
            !(x == call->no_x && at.y == call->no_y))
            return 0;
    return 1;
}

static void corrupt(const char *name, struct Call call, size_t top_count, size_t board_count) {
    for (int i = 0; i < 2; i++) {
        call.library = &libraries[i];
        struct Point at = ask(call, top_count, board_count);
        const char *verdict = "ILLEGAL";
        if (at.x == -1 && at.y == -1) {
            verdict = "none";
        } else if (at.x >= 0 && at.x < call.rows && at.y >= 0 && at.y < call.columns &&
                   !(at.x == call.no_x && at.y == call.no_y)) {
            int top = legal_by_top(&call, at), board = legal_by_board(&call, at);
            verdict = top && board ? "both" : top ? "top" : board ? "board" : "ILLEGAL";
        }
        printf("corrupt %s: %s\n", name, verdict);
    }
}

enum { ROWS = 9, COLUMNS = 10, CELLS = ROWS * COLUMNS, FLOOR = (ROWS - 1) * COLUMNS };

/* A call without fault: 9x10, forbidden 8,4, after `columns`. */
static struct Call after(const char *columns, int *top, int *board) {
    struct Game game = start(ROWS, COLUMNS, 8, 4);
    show(&game, put_all(&game, columns), board);
    memcpy(top, game.top, COLUMNS * sizeof(int));
    return (struct Call){NULL, ROWS, COLUMNS, top, board, 8, 6, 8, 4, NULL};
}

static struct Call sound(int *top, int *board) {
    return after("56", top, board);
}

static void fill(int *numbers, int count, int value) {
    for (int i = 0; i < count; i++)
        numbers[i] = value;
}

/* A sound call with the whole of `top` and of `board` overwritten, or one cell of it. */
static void corrupt_arrays(void) {
    static const int junk[] = {0, -1, 1, ROWS + 1, INT_MAX, INT_MIN};
    int top[COLUMNS], board[CELLS];
    struct Call call = sound(top, board);
    corrupt("nothing", call, COLUMNS, CELLS);
    for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) {
        call = sound(top, board);
        fill(top, COLUMNS, junk[i]);
        corrupt("every top", call, COLUMNS, CELLS);
    }
    static const struct {
        const char *name;
        int at, content;
    } cells[] = {
        {"floating stone", 3, 1},   {"one stone too many", FLOOR + 9, 2},
        {"two too many", FLOOR, 1}, {"unknown mark", FLOOR + 2, 7},
        {"negative mark", 0, -1},   {"marked forbidden cell", FLOOR + 4, 2},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        call = sound(top, board);
        board[cells[i].at] = cells[i].content;
        if (i == 2)
            board[FLOOR + 1] = 1;
        corrupt(cells[i].name, call, COLUMNS, CELLS);
    }
    corrupt("finished game", after("0909090", top, board), COLUMNS, CELLS);
    call = sound(top, board);
    fill(board, CELLS, 1);
    corrupt("every cell taken", call, COLUMNS, CELLS);
}

static void corrupt_pointers(void) {
    int top[COLUMNS], board[CELLS];
    struct Call call = sound(top, board);
    call.top = NULL;
    corrupt("null top", call, COLUMNS, CELLS);
    call = sound(top, board);
    call.board = NULL;
    corrupt("null board", call, COLUMNS, CELLS);
    call.top = NULL;
    corrupt("null both", call, COLUMNS, CELLS);
    libraries[0].clear(NULL);
    libraries[1].clear(NULL);

    /* Numbers at an odd address. */
    char bytes[sizeof board + 1];
    call = sound(top, board);
    memcpy(bytes + 1, board, sizeof board);
    struct Point *at = libraries[0].get(ROWS, COLUMNS, top, (int *)(void *)(bytes + 1), 8, 6, 8, 4);
    printf("corrupt alignment: %s\n",
           legal_by_top(&call, *at) && legal_by_board(&call, *at) ? "both" : "ILLEGAL");
    libraries[0].clear(at);
}

static void corrupt_numbers(void) {
    static const int junk[] = {0, -1, MOST + 1, 1000, INT_MAX, INT_MIN};
    int top[COLUMNS], board[CELLS], none = 0;
    for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) {
        struct Call call = sound(top, board);
        call.top = call.board = &none;
        call.rows = junk[i];
        corrupt("rows", call, 1, 1);
        call.rows = ROWS;
        call.columns = junk[i];
        corrupt("columns", call, 1, 1);
        if (junk[i] == 0)
            continue;
        call = sound(top, board);
        fill(top, COLUMNS, ROWS);
        fill(board, CELLS, 0);
        call.no_x = junk[i];
        corrupt("forbidden row", call, COLUMNS, CELLS);
        call.no_x = 0;
        call.no_y = junk[i];
        corrupt("forbidden column", call, COLUMNS, CELLS);
        call = sound(top, board);
        call.last_x = call.last_y = junk[i];
        corrupt("last stone", call, COLUMNS, CELLS);
    }
    static const int sizes[][2] = {{1, 1}, {1, MOST}, {3, 3}, {4, 4}, {MOST, 1}, {MOST, MOST}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct Game game = start(sizes[i][0], sizes[i][1], -1, -1);
        struct Call call = {NULL, game.rows, game.columns, game.top, game.cells,
                            -1,   -1,        -1,           -1,       NULL};
        corrupt("size", call, (size_t)game.columns, (size_t)(game.rows * game.columns));
    }
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: host ONE.so TWO.so RANDOM_BOARDS\n");
        return 2;
    }
    for (int i = 0; i < 2; i++)
        libraries[i] = load(arguments[1 + i]);
    if (libraries[0].get == libraries[1].get) {
        fprintf(stderr, "host: both names led to one library\n");
        return 2;
    }
    play_both_colours(start(9, 9, 8, 4));   /* on the floor */
    play_both_colours(start(10, 12, 0, 5)); /* in the top row */
    play_both_colours(start(12, 11, 6, 5)); /* within a column */
    play_both_colours(start(12, 9, 11, 0)); /* a corner */
    play_both_colours(start(11, 10, 1, 9)); /* below the top row */
    for (int i = atoi(arguments[3]); i > 0; i--)
        play_both_colours(random_start());
    play_side_by_side();
    probe_all();
    corrupt_arrays();
    corrupt_pointers();
    corrupt_numbers();
    puts("done");
    return 0;
}
