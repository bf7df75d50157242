/* An engine that speaks Gomocup and misbehaves as its argument says.
 *
 * Otherwise it is sound: it answers START and plays the first free point. With
 * MODE defined it is a library of the course instead, which misbehaves too. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void crash(void) { *(volatile int *)8 = 1; }

static void hang(void)
{
    for (;;)
        sleep(1000);
}

#ifdef MODE

struct Point { int x, y; };

#if MODE != 7
#if MODE == 8
extern int nobody_has_this(void);
#endif

struct Point *getPoint(int rows, int columns, const int *top, const int *board, int last_x,
                       int last_y, int no_x, int no_y)
{
    (void)rows, (void)board, (void)last_x, (void)last_y, (void)no_x, (void)no_y;
    static int calls;
    if (++calls == 2)
        switch (MODE) {
        case 1: crash(); break;
        case 2: exit(0);
        case 3: hang(); break;
        case 4: for (;;) printf("a flood of words on stdout\n");
        case 5: return NULL;
#if MODE == 8
        case 8: nobody_has_this(); break;
#endif
        }
    struct Point *point = malloc(sizeof *point);
    printf("a few words on stdout\n");
    point->y = 0;
    while (point->y < columns - 1 && top[point->y] == 0)
        point->y++;
    point->x = top[point->y] - 1;
    if (MODE == 6 && calls == 2)
        point->x--;
    return point;
}
#endif

void clearPoint(struct Point *point) { free(point); }

#else

static int is(const char *mode, const char *name) { return strcmp(mode, name) == 0; }

static void try_to_write(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/stoneline-zoo-was-here", folder ? folder : ".");
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    fprintf(stderr, "%s: %s\n", folder ? folder : ".", file < 0 ? strerror(errno) : "written");
}

static void misbehave_before_start(const char *mode)
{
    if (is(mode, "crash-at-once"))
        exit(3);
    if (is(mode, "hang-at-start"))
        hang();
    if (is(mode, "deaf"))
        signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN), signal(SIGINT, SIG_IGN);
    if (is(mode, "greeting"))
        printf("Welcome to this engine!\n");
}

static void misbehave_at_second_move(const char *mode)
{
    static char words[65536];
    memset(words, 'x', sizeof words);
    if (is(mode, "crash-later")) {
        fprintf(stderr, "my last words\n");
        crash();
    } else if (is(mode, "hang"))
        hang();
    else if (is(mode, "flood-stdout"))
        for (;;)
            printf("MESSAGE and more and more and more and more and more and more and more\n");
    else if (is(mode, "flood-stderr")) {
        for (int times = 0; times < 200; times++)
            fwrite(words, 1, sizeof words, stderr);
        fprintf(stderr, "the end of the flood\n");
    } else if (is(mode, "endless-line"))
        for (;;)
            fwrite(words, 1, sizeof words, stdout);
    else if (is(mode, "broken-text")) {
        fwrite("\0\xff\xfe\0 7\n", 1, 7, stdout);
    } else if (is(mode, "closes-stdin")) {
        close(0);
        hang();
    } else if (is(mode, "closes-stdout")) {
        close(1);
        hang();
    } else if (is(mode, "forks-and-exits")) {
        for (int times = 0; times < 5; times++)
            if (fork() == 0) {
                setsid();
                signal(SIGTERM, SIG_IGN);
                if (fork() == 0)
                    hang();
                hang();
            }
        exit(0);
    } else if (is(mode, "forks-and-stays")) {
        if (fork() == 0) {
            setsid();
            hang();
        }
    } else if (is(mode, "allocates")) {
        for (;;) {
            char *more = malloc(sizeof words);
            if (!more) {
                fprintf(stderr, "no more memory\n");
                abort();
            }
            memcpy(more, words, sizeof words);
        }
    } else if (is(mode, "late"))
        sleep(3);
    else if (is(mode, "nonsense"))
        printf("I resign\n");
    else if (is(mode, "off-board"))
        printf("99,99\n");
    else if (is(mode, "error"))
        printf("ERROR I can't\n");
    else if (is(mode, "socket")) {
        fprintf(stderr, "inet: %s\n", socket(AF_INET, SOCK_STREAM, 0) < 0 ? strerror(errno) : "open");
        fprintf(stderr, "unix: %s\n", socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? strerror(errno) : "open");
    } else if (is(mode, "writes")) {
        try_to_write(getenv("HOME"));
        try_to_write(NULL);
        try_to_write(getenv("TMPDIR"));
        fprintf(stderr, "kill: %s\n", kill(getppid(), 0) < 0 ? strerror(errno) : "allowed");
    } else if (is(mode, "opens-files")) {
        int count = 0;
        while (open("/dev/null", O_RDONLY) >= 0)
            count++;
        fprintf(stderr, "%d files\n", count);
    } else if (is(mode, "fills-disk")) {
        FILE *file = fopen(strcat(strcpy(words, getenv("TMPDIR")), "/large"), "w");
        for (;;)
            if (!file || fwrite(words, 1, sizeof words, file) == 0)
                exit(4);
    }
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "sound";
    static char taken[32][32], line[256];
    int size = 0, moves = 0, x, y;
    setvbuf(stdout, NULL, _IOLBF, 0);
    misbehave_before_start(mode);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "START %d", &size) == 1) {
            memset(taken, 0, sizeof taken);
            moves = 0;
            printf("OK\n");
        } else if (sscanf(line, "TURN %d,%d", &x, &y) == 2 || is(line, "BEGIN\n")) {
            if (line[0] == 'T')
                taken[x][y] = 1;
            if (++moves == 2)
                misbehave_at_second_move(mode);
            for (x = 0, y = 0; taken[x][y] && y < size; x = (x + 1) % size, y += x == 0)
                ;
            if (moves == 2 && is(mode, "illegal"))
                for (x = 0, y = 0; !taken[x][y]; x = (x + 1) % size, y += x == 0)
                    ;
            taken[x][y] = 1;
            printf("%d,%d\n", x, y);
        } else if (is(line, "END\n")) {
            if (is(mode, "deaf"))
                hang();
            return 0;
        }
    }
    if (is(mode, "deaf"))
        hang();
    return 0;
}
#endif
